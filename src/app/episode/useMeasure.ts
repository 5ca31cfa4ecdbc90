import { useMemo } from 'react';
import { historyOf, messageText, stubTexts, type Episode, type Message } from '../../model';
import { useChosenTokenizer } from '../tokenizers/choice';
import { useCounts, type TextCounts } from '../tokenizers/useCounts';
import { countedBy, estimated, type ContextMeasure } from './measure';

/** How the sizes of an episode are measured: counted by the chosen tokenizer, and estimated until that is done. */
export function useMeasure(episode: Episode): ContextMeasure {
  const chosen = useChosenTokenizer();
  const texts = useMemo(() => {
    // Every character is a token here: nothing can count better.
    if (episode.tokenIds === 'characters' || chosen === 'none') return undefined;
    return () => textsOf(episode);
  }, [episode, chosen]);
  const counted = useCounts(episode, texts, chosen);
  return useMemo(
    () => (counted === undefined ? estimated(episode) : measureOf(episode, counted)),
    [episode, counted],
  );
}

/** What is counted: every message, then what is left of each that was deleted. */
function textsOf(episode: Episode): string[] {
  return [...episode.messages.map(messageText), ...deletedIn(episode).map(stubTexts(episode))];
}

function deletedIn(episode: Episode): Message[] {
  const { editsOf } = historyOf(episode);
  return episode.messages.filter(({ msgId }) => editsOf.get(msgId)?.stubbed !== undefined);
}

function measureOf(episode: Episode, { name, counts }: TextCounts): ContextMeasure {
  const { messages } = episode;
  const sizes = new Map(messages.map((message, index) => [message, counts[index] ?? 0]));
  const stubs = new Map(
    deletedIn(episode).map((message, index) => [message, counts[messages.length + index] ?? 0]),
  );
  let characters = 0;
  let tokens = 0;
  for (const [message, count] of sizes) {
    characters += messageText(message).length;
    tokens += count;
  }
  return countedBy(episode, name, {
    messages: sizes,
    stubs,
    perCharacter: characters === 0 ? 0 : tokens / characters,
  });
}
