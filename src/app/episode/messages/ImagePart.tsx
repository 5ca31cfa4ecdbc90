import { useState } from 'react';
import { PlainText } from '../../markdown';
import { formatCount } from '../../words/format';
import { imageSource } from './images';
import styles from './messages.module.css';

/** An image of the record itself, or a card for one that would have to be fetched. */
export function ImagePart({ url }: { url: string }) {
  const [broken, setBroken] = useState(false);
  const image = imageSource(url);
  if (image.kind === 'inline' && !broken) {
    const facts = `${image.type}, ${formatCount(image.bytes)} bytes`;
    return (
      <figure className={styles.figure}>
        <img src={image.src} alt={`Part of the record: ${facts}`} onError={() => setBroken(true)} />
        <figcaption>{facts}</figcaption>
      </figure>
    );
  }
  return (
    <div className={styles.card}>
      <p>
        {image.kind === 'remote' ? 'Image, not loaded: Rollscope makes no requests.' : null}
        {image.kind === 'unshown' ? `Image, not shown: ${image.what}.` : null}
        {image.kind === 'inline' ? `Image, ${image.type}: the browser could not read it.` : null}
      </p>
      {image.kind === 'remote' ? (
        <p className={styles.address}>
          <PlainText text={image.url.slice(0, 2000)} />
        </p>
      ) : null}
    </div>
  );
}
