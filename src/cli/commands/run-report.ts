import { exportEpisode, type Exporter } from '../../formats';
import type { Episode } from '../../model';
import { counted } from '../episodes';
import { safeLine, type Io } from '../io';

/** Writes episodes in the order of their tasks, whatever order they end in, and says how far it is. */
export class RunReport {
  readonly #total: number;
  readonly #exporter: Exporter;
  readonly #io: Io;
  readonly #waiting = new Map<number, string>();
  readonly #rewards: number[] = [];
  #next = 0;
  #done = 0;
  #failed = 0;
  #written = Promise.resolve();

  constructor(total: number, exporter: Exporter, io: Io) {
    this.#total = total;
    this.#exporter = exporter;
    this.#io = io;
  }

  add(index: number, episode: Episode, expected: number | undefined): void {
    const text = this.#done === 0 ? this.#first(episode) : this.#exporter.write(episode);
    this.#done += 1;
    const { reward } = episode.outcome;
    if (reward !== undefined) this.#rewards.push(reward);
    const fault = faultOf(episode, expected);
    if (fault !== undefined) this.#fault(index, fault);
    this.#write(index, safeLine(text));
    this.#progress();
  }

  /** It could not even be begun. */
  fail(index: number, reason: string): void {
    this.#done += 1;
    this.#fault(index, reason);
    this.#write(index, '');
    this.#progress();
  }

  #fault(index: number, reason: string): void {
    this.#failed += 1;
    this.#io.note(`episode ${index}: ${reason}`);
  }

  /** Every episode of a few, every tenth of many. */
  #progress(): void {
    const tenths = Math.floor((10 * this.#done) / this.#total);
    if (this.#total < 20 || tenths > Math.floor((10 * (this.#done - 1)) / this.#total)) {
      this.#io.note(`${this.#done} of ${counted(this.#total, 'episode')}`);
    }
  }

  /** What a format cannot hold is the same for all runs: of the first it is said. */
  #first(episode: Episode): string {
    const { text, losses } = exportEpisode(episode, this.#exporter);
    for (const loss of losses) this.#io.note(`${this.#exporter.name} of the first episode: ${loss}`);
    return text;
  }

  #write(index: number, line: string): void {
    this.#waiting.set(index, line);
    for (
      let ready = this.#waiting.get(this.#next);
      ready !== undefined;
      ready = this.#waiting.get(this.#next)
    ) {
      this.#waiting.delete(this.#next++);
      const text = ready;
      this.#written = this.#written.then(() => this.#io.data(text));
    }
  }

  async end(): Promise<number> {
    await this.#written;
    const missing = this.#total - this.#done;
    const rewards = this.#rewards.length;
    const mean = this.#rewards.reduce((sum, reward) => sum + reward, 0) / rewards;
    this.#io.note(
      `${counted(this.#done, 'episode')}: ${counted(rewards, 'reward')}${rewards === 0 ? '' : `, ${Number(mean.toFixed(4))} on average`}, ` +
        `${this.#failed} failed${missing === 0 ? '' : `, ${missing} not run`}`,
    );
    return this.#failed + missing === 0 ? 0 : 1;
  }
}

/** Why an episode did not go as it should. */
function faultOf({ outcome }: Episode, expected: number | undefined): string | undefined {
  const { error, termination, reward } = outcome;
  if (error !== undefined) return `${termination ?? 'ended'}: ${error}`;
  if (termination === 'stopped') return 'stopped';
  if (reward === undefined) return 'there is no reward';
  return expected === undefined || reward === expected
    ? undefined
    : `reward ${reward}, and ${expected} was expected`;
}
