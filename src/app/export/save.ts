/** Hands a file to the browser's downloads. */
export function save(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Once the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** `task 17 · rollout 3` becomes `task-17-rollout-3.html`: nothing a file system could trip over. */
export function fileName(title: string, extension: string): string {
  const plain = title
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80);
  return `${plain === '' ? 'episode' : plain}.${extension}`;
}
