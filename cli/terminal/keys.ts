import { createInterface } from 'node:readline'

/** The action of a key, with a label for the help. */
export interface KeyAction {
  label: string
  /** The name of the text that may follow the letter; without one, a text does not belong to the key. */
  argument?: string
  /** The text is empty if there is none. */
  run: (text: string) => void
}

/** Keys by their letters. */
export type Keys = Readonly<Record<string, KeyAction>>

/**
 * Runs the action for a letter and Enter; any other line lists the keys. Does nothing if the input is not a terminal.
 * It reads whole lines, so the terminal still handles Ctrl-C and Ctrl-Z. Returns a function that stops it.
 */
export function handleKeys(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  keys: Keys,
  print: (text: string) => void,
): () => void {
  if (!input.isTTY) return () => {}
  const lines = createInterface({ input })
  lines.on('line', (line) => {
    const [, key = '', text = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? []
    const action = keys[key.toLowerCase()]
    if (action && (text === '' || action.argument !== undefined)) action.run(text)
    else if (key !== '') for (const help of keyHelp(keys)) print(help)
  })
  return () => lines.close()
}

/** A line for each key. */
function keyHelp(keys: Keys): string[] {
  const typed = (key: string, argument?: string) => (argument === undefined ? key : `${key} ${argument}`)
  return Object.entries(keys).map(([key, { label, argument }]) => `${typed(key, argument)} + Enter  ${label}`)
}
