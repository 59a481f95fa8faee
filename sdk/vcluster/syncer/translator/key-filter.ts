/**
 * Selects the labels or annotations of an original that its copy gets. An entry is a key, in which each `*` matches any
 * characters: `*.kubernetes.io/*`.
 */
export interface KeyFilter {
  /** The keys that are copied; default all. */
  allow?: readonly string[]
  /** The keys that are not copied, even if allowed; default none. */
  deny?: readonly string[]
}

/** Makes a function that tells whether a filter accepts a key. */
export function createKeyFilter({ allow = ['*'], deny = [] }: KeyFilter = {}): (key: string) => boolean {
  const allows = allow.map(keyPattern)
  const denies = deny.map(keyPattern)
  return (key) => allows.some((matches) => matches(key)) && !denies.some((matches) => matches(key))
}

/** Makes a function that says whether a key matches a pattern with `*`. */
function keyPattern(pattern: string): (key: string) => boolean {
  const [head = '', ...pieces] = pattern.split('*')
  const tail = pieces.pop()
  if (tail === undefined) return (key) => key === pattern
  return (key) =>
    key.startsWith(head) && key.endsWith(tail) && hasPieces(key.slice(head.length), { pieces, tail })
}

/** Whether `text` contains the pieces in this order, and the tail after them. Takes linear time. */
function hasPieces(text: string, { pieces, tail }: { pieces: string[]; tail: string }): boolean {
  let position = 0
  for (const piece of pieces) {
    const index = text.indexOf(piece, position)
    if (index < 0) return false
    position = index + piece.length
  }
  return position + tail.length <= text.length
}
