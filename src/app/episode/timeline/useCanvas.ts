import { useLayoutEffect, type RefObject } from 'react';

/**
 * Paints a canvas before the browser does, and again when what the tokens stand for has changed: the theme, the
 * fonts, the zoom. `paint` works in CSS pixels and is told how large a device pixel is.
 */
export function useCanvas(
  ref: RefObject<HTMLCanvasElement | null>,
  width: number,
  height: number,
  paint: (context: CanvasRenderingContext2D, pixel: number) => void,
): void {
  useLayoutEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || width === 0) return;
    const draw = () => {
      const ratio = window.devicePixelRatio;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      context.scale(ratio, ratio);
      paint(context, 1 / ratio);
    };
    draw();
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true });
    // Zooming changes the pixel ratio, and with it the window's size.
    window.addEventListener('resize', draw);
    document.fonts.addEventListener('loadingdone', draw);
    return () => {
      theme.disconnect();
      window.removeEventListener('resize', draw);
      document.fonts.removeEventListener('loadingdone', draw);
    };
  }, [ref, width, height, paint]);
}
