import { describe, expect, test } from 'vitest';
import { isUrl, nameOfUrl, urlOf } from './url';

describe('what a person types', () => {
  test.each([
    ['https://example.org/runs/night.jsonl', 'https://example.org/runs/night.jsonl', 'night.jsonl'],
    ['  example.org/night.jsonl?raw=1 ', 'https://example.org/night.jsonl?raw=1', 'night.jsonl'],
    ['http://localhost:8000/a%20b.jsonl', 'http://localhost:8000/a%20b.jsonl', 'a b.jsonl'],
    ['http://[::1]:8000/run.json/', 'http://[::1]:8000/run.json/', 'run.json'],
    ['http://127.0.0.1/%E0%A4%A', 'http://127.0.0.1/%E0%A4%A', '%E0%A4%A'],
  ])('%s is a URL', (text, href, name) => {
    const url = urlOf(text);
    expect(url?.href).toBe(href);
    expect(url === undefined ? '' : nameOfUrl(url)).toBe(name);
    expect(isUrl(href)).toBe(true);
  });

  test.each([
    '',
    ' ',
    'not a url',
    'run.jsonl',
    'https://example.org',
    'file:///etc/passwd',
    'javascript://x.y/%0a',
  ])('%j is none', (text) => {
    expect(urlOf(text)).toBeUndefined();
  });
});
