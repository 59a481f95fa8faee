import { createInterface } from 'node:readline'

/** The action of a key, with a label for the help. */
export interface KeyAction {
  label: string
  run: () => void
}

/** Keys by their letters. */
export type Keys = Readonly<Record<string, KeyAction>>

/**
 * Runs the action for a letter and Enter; any other letter lists the keys. Does nothing if the input is not a terminal. It reads
 * whole lines, so the terminal still handles Ctrl-C and Ctrl-Z. Returns a function that stops it.
 */
export function handleKeys(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  keys: Keys,
  tell: (text: string) => void,
): () => void {
  if (!input.isTTY) return () => {}
  const lines = createInterface({ input })
  lines.on('line', (line) => {
    const key = line.trim().toLowerCase()
    const action = keys[key]
    if (action) action.run()
    else if (key !== '') for (const text of keyHelp(keys)) tell(text)
  })
  return () => lines.close()
}

/** A line for each key. */
export function keyHelp(keys: Keys): string[] {
  return Object.entries(keys).map(([key, { label }]) => `${key} + Enter  ${label}`)
}
