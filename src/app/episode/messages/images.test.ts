import { describe, expect, it } from 'vitest';
import { imageSource } from './images';

describe('imageSource', () => {
  it('draws raster images that stand in the record', () => {
    expect(imageSource('data:image/png;base64,iVBORw0K')).toEqual({
      kind: 'inline',
      src: 'data:image/png;base64,iVBORw0K',
      type: 'image/png',
      bytes: 6,
    });
  });

  it.each([
    'https://example.org/a.png',
    '//example.org/a.png',
    'javascript:alert(1)',
    'blob:https://example.org/1',
    '/favicon.svg',
    ' data:image/png;base64,AAAA',
    'file-abc123',
  ])('only names %s', (url) => expect(imageSource(url)).toEqual({ kind: 'remote', url }));

  it.each([
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'data:text/html,x',
    'data:',
    '',
  ])('does not show %s', (url) => expect(imageSource(url).kind).toBe('unshown'));
});
