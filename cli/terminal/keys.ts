import { createInterface } from 'node:readline'

/** What a key does, and how that is called. */
export interface KeyAction {
  does: string
  run: () => void
}

/** Keys by their letters. */
export type Keys = Readonly<Record<string, KeyAction>>

/**
 * Does what a letter and Enter ask for, on a terminal alone; `h` lists the letters. A whole line is read, so that Ctrl-C and
 * Ctrl-Z stay the terminal's. Answers what ends it.
 */
export function answerKeys(
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
  return Object.entries(keys).map(([key, { does }]) => `${key} + Enter  ${does}`)
}
