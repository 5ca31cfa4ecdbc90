import * as v from 'valibot';
import { defineEnvironment, tool } from '../environment';
import { episodeFields, task, text } from './nemo';

const SYSTEM = 'You are a helpful assistant. Use the tools when they can answer.';

const getWeather = tool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: v.object({ city: text('Name of the city.') }),
  result: v.object({ city: v.string(), weather_description: v.string() }),
  readOnly: true,
  run: (_state: null, { city }) => ({
    result: { city, weather_description: `The weather in ${city} is cold.` },
  }),
});

export const simpleWeather = defineEnvironment({
  name: 'simple_weather',
  serverName: 'SimpleWeatherResourcesServer',
  title: 'Simple weather',
  description: 'One stateless tool. Everything that a call needs is in the call; every episode is rewarded.',
  initial: () => null,
  seed: { schema: v.looseObject({}), state: () => null },
  tools: [getWeather],
  verify: { schema: v.looseObject(episodeFields), judge: () => ({ reward: 1 }) },
  tasks: [
    task('What is it like in Oslo today?', {}, { system: SYSTEM }),
    task('I am off to Lima and Quito. What should I pack?', {}, { system: SYSTEM }),
  ],
  scripts: [
    {
      name: 'weather-success',
      title: 'One call, one answer',
      description: 'The simplest episode there is: a call, its result, an answer.',
      task: 0,
      emissions: [
        { text: '', toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] },
        { text: 'It is cold in Oslo today. Take a coat.', toolCalls: [] },
      ],
      expect: { reward: 1 },
    },
    {
      name: 'weather-wrong-argument',
      title: 'A call that the server refuses, rewarded all the same',
      description:
        'The policy names the argument wrongly, gets a 422 and gives up without an answer. The verifier rewards it like any other: a reward of 1 says nothing where the verifier looks at nothing.',
      task: 0,
      emissions: [
        { text: '', toolCalls: [{ name: 'get_weather', arguments: { location: 'Oslo' } }] },
        { text: 'I could not find out.', toolCalls: [] },
      ],
      expect: { reward: 1 },
    },
  ],
  checklist: {
    name: 'simple_weather',
    stateful: false,
    call: { path: '/get_weather', body: { city: 'Oslo' } },
  },
});
