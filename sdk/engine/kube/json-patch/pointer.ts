/** The JSON pointer (RFC 6901) of a path. */
export function formatPointer(path: readonly (string | number)[]): string {
  return path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The names in a JSON pointer; undefined if the text is not a JSON pointer. */
export function parsePointer(pointer: unknown): string[] | undefined {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) return undefined
  const names = pointer.split('/').slice(1)
  return pointer.includes('~') ? names.map(unescapeName) : names
}

const unescapeName = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
