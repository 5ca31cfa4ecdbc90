/** Metrics of each row of `rowsFile`: `m0`, `m1`, … */
export const rowMetrics = 8;
