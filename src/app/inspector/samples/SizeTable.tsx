import { useState } from 'react';
import { sizesOf, type Episode, type Sample, type SampleSizes } from '../../../model';
import { formatCount } from '../../words/format';
import { Section } from '../info/Section';
import { cutNames, sampleName, samplesCut, type Cut } from './cuts';
import styles from './samples.module.css';

interface SizeTableProps {
  episode: Episode;
  cuts: readonly Cut[];
}

const few = 30;
const columns: readonly (keyof SampleSizes)[] = ['prompt', 'response', 'mask', 'trained'];

/** How large each sample is under every cut, one beside the other. */
export function SizeTable({ episode, cuts }: SizeTableProps) {
  const [all, setAll] = useState(false);
  const rows = cuts.map((cut) => ({ cut, samples: samplesCut(episode, cut) }));
  const samples = rows.reduce<readonly Sample[]>(
    (longest, row) => (row.samples.length > longest.length ? row.samples : longest),
    [],
  );
  const known = rows.some((row) => row.samples.some((sample) => sizesOf(sample) !== undefined));
  if (!known) return null;
  return (
    <Section title="Sizes in tokens">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">cut</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {samples.slice(0, all ? undefined : few).map((sample, nth) => (
          <tbody key={sample.index}>
            <tr>
              <th scope="rowgroup" colSpan={5}>
                {sampleName(sample)}
              </th>
            </tr>
            {rows.map(({ cut, samples: cutSamples }) => (
              <SizeRow key={cut} cut={cut} sample={cutSamples[nth]} />
            ))}
          </tbody>
        ))}
      </table>
      {!all && samples.length > few ? (
        <button type="button" className={styles.link} onClick={() => setAll(true)}>
          and {formatCount(samples.length - few)} more
        </button>
      ) : null}
    </Section>
  );
}

function SizeRow({ cut, sample }: { cut: Cut; sample: Sample | undefined }) {
  const sizes = sample === undefined ? undefined : sizesOf(sample);
  return (
    <tr>
      <th scope="row">{cutNames[cut].toLowerCase()}</th>
      {columns.map((name) => (
        <td key={name} data-none={isAmiss(name, sizes) ? '' : undefined}>
          {sizes === undefined ? '–' : formatCount(sizes[name])}
        </td>
      ))}
    </tr>
  );
}

function isAmiss(name: keyof SampleSizes, sizes: SampleSizes | undefined): boolean {
  if (sizes === undefined) return false;
  if (name === 'mask') return sizes.mask !== sizes.response;
  return name === 'trained' && sizes.trained === 0;
}
