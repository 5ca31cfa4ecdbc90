import { memo } from 'react';
import { PlainText } from './PlainText';
import { NAME_LENGTH, spelled, startOf } from './spelled';

interface NameProps {
  text: string;
  most?: number;
}

/**
 * A name out of a record or a file, within words of ours: its direction ends where it ends, what cannot be seen has a
 * mark, and of a long one the start is drawn.
 */
export const Name = memo(function Name({ text, most = NAME_LENGTH }: NameProps) {
  return (
    <bdi title={text.length > most ? spelled(text) : undefined}>
      <PlainText text={startOf(text, most)} />
    </bdi>
  );
});
