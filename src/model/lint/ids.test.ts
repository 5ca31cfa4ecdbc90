import type { Episode } from '../episode';
import { callPart, episodeOf, messageOf } from '../episode.fixtures';
import { answer, question, specify, turn } from './lint.fixtures';

const called = (args: string, tools: Episode['tools'] = []): Episode =>
  episodeOf({ messages: turn(0, 0, [callPart('a', 'search', args)], [['a']]), tools });
const tool = (parameters?: unknown): Episode['tools'] => [{ name: 'search', parameters }];

specify('dangling-call', [
  {
    what: 'one of two parallel calls is not answered, and the episode goes on',
    episode: episodeOf({
      messages: [question, ...turn(0, 1, [callPart('a'), callPart('b', 'read')], [['a']]), answer],
    }),
    finds: ['b (read) was never answered @0 #1'],
  },
  {
    what: 'the episode ends with a call',
    episode: episodeOf({ messages: turn(0, 1, [callPart('a', 'finish')], []) }),
    finds: ['a (finish) was never answered: the episode ends here @0 #1'],
  },
  {
    what: 'a call of the prompt is not answered',
    episode: episodeOf({
      messages: [messageOf(0, 'prompt', { bornAtStep: -1, parts: [callPart('a')] }), answer],
    }),
    finds: ['a (search) was never answered #0'],
  },
  {
    what: 'a branch of the history ends with a call, and another branch goes on',
    episode: episodeOf({
      messages: [
        question,
        ...turn(0, 1, [callPart('a', 'finish')], []),
        messageOf(2, 'environment', { role: 'user', bornAtStep: 0, follows: 0 }),
        ...turn(1, 3, [callPart('b')], [['b']]),
        messageOf(9, 'policy', { bornAtStep: 2 }),
      ],
    }),
    finds: ['a (finish) was never answered: this branch of the episode ends here @0 #1'],
  },
  {
    what: 'a call within a branch is not answered, and the branch goes on',
    episode: episodeOf({
      messages: [
        question,
        messageOf(1, 'policy', { bornAtStep: 0 }),
        messageOf(2, 'environment', { role: 'user', bornAtStep: 0, follows: null }),
        ...turn(1, 3, [callPart('a')], []),
        messageOf(4, 'environment', { role: 'user', bornAtStep: 1 }),
        messageOf(9, 'policy', { bornAtStep: 2 }),
      ],
    }),
    finds: ['a (search) was never answered @1 #3'],
  },
  {
    what: 'several calls share one result',
    episode: episodeOf({ messages: [...turn(0, 1, [callPart('a'), callPart('b')], [['a', 'b']]), answer] }),
    finds: [],
  },
  {
    what: 'the source does not say which call a result answers',
    episode: episodeOf({
      messages: [...turn(0, 1, [callPart('a')], []), messageOf(2, 'environment', { bornAtStep: 0 }), answer],
    }),
    finds: [],
  },
]);

specify('orphan-result', [
  {
    what: 'a result names a call that is not there',
    episode: episodeOf({ messages: turn(0, 1, [callPart('a')], [['a'], ['A']]) }),
    finds: ['A result answers A, which nothing called @0 #3'],
  },
  {
    what: 'a result names nothing at all',
    episode: episodeOf({ messages: [question, messageOf(1, 'environment', { bornAtStep: -1 })] }),
    finds: [],
  },
  {
    what: 'a result comes steps after its call',
    episode: episodeOf({ messages: [...turn(0, 1, [callPart('a')], []), ...turn(1, 2, [], [['a']])] }),
    finds: [],
  },
]);

specify('duplicate-call-id', [
  {
    what: 'a later step uses an id again',
    episode: episodeOf({
      messages: [...turn(0, 1, [callPart('a')], [['a']]), ...turn(1, 3, [callPart('a')], [['a']])],
    }),
    finds: ['a (search) has the id of a call in message 1 @1 #3'],
  },
  {
    what: 'the same call is made again under another id, and calls without ids',
    episode: episodeOf({
      messages: turn(0, 1, [callPart('a'), callPart('a2'), callPart(''), callPart('')], [['a'], ['a2']]),
    }),
    finds: [],
  },
]);

specify('shared-result', [
  {
    what: 'one result for four calls',
    episode: episodeOf({
      messages: turn(
        0,
        1,
        ['a', 'b', 'c', 'd'].map((id) => callPart(id)),
        [['a', 'b', 'c', 'd']],
      ),
    }),
    finds: ['4 calls share one result: a, b, c and 1 more @0 #2'],
  },
  {
    what: 'two results for two calls',
    episode: episodeOf({ messages: turn(0, 1, [callPart('a'), callPart('b')], [['a'], ['b']]) }),
    finds: [],
  },
]);

specify('arguments-not-json', [
  {
    what: 'the emission was cut off',
    episode: called('{"query": "weath'),
    finds: ['a (search): arguments are not JSON: {"query": "weath @0 #0'],
  },
  {
    what: 'Python writes NaN',
    episode: called('{"x": NaN}'),
    finds: ['a (search): arguments are not JSON: {"x": NaN} @0 #0'],
  },
  {
    what: 'a list of arguments',
    episode: called('["x"]'),
    finds: ['a (search): arguments are not a JSON object: ["x"] @0 #0'],
  },
  {
    what: 'null',
    episode: called('null'),
    finds: ['a (search): arguments are not a JSON object: null @0 #0'],
  },
  {
    what: 'nothing, for a tool with a required parameter',
    episode: called('', tool({ properties: { query: {} }, required: ['query'] })),
    finds: ['a (search): arguments are empty, and the tool has required parameters @0 #0'],
  },
  {
    what: 'nothing, for a tool whose parameters are optional',
    episode: called(' ', tool({ properties: { query: {} }, required: [] })),
    finds: [],
  },
  { what: 'nothing, for a tool without a schema', episode: called('', tool()), finds: [] },
  { what: 'an empty object, and any spacing', episode: called('\n{ }'), finds: [] },
  {
    what: '100,000 levels',
    episode: called('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)),
    finds: [],
  },
]);
