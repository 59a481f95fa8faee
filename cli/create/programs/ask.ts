import { createInterface, type Interface } from 'node:readline/promises'
import { UsageError } from '../../terminal/usage-error.js'
import { type Direction, directions } from '../kind/direction.js'

/** The flags of `create` that a user can be asked for. */
export interface AskedFlags {
  /** A built-in kind in any spelling of kubectl, or the file of a CustomResourceDefinition. */
  kind: string
  direction: Direction
  vclusterVersion: string
}

/** A terminal, or streams in its place in a test. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream & { isTTY?: boolean }
}

/**
 * Returns the given flags, with the user's answers for missing ones on a terminal, or with the defaults elsewhere. Asks
 * again after an invalid answer. Throws `UsageError` if the user leaves (Ctrl-C, Ctrl-D).
 */
export async function ask(
  flags: Partial<AskedFlags>,
  defaults: AskedFlags,
  terminal: Terminal,
): Promise<AskedFlags> {
  const { input, output } = terminal
  const isComplete = flags.kind && flags.direction && flags.vclusterVersion
  if (isComplete || !input.isTTY || !output.isTTY) return { ...defaults, ...flags }
  const lines = createInterface({ input, output })
  try {
    return await askMissing(lines, flags, defaults)
  } finally {
    lines.close()
  }
}

/** Asks for each flag that is missing. */
async function askMissing(
  lines: Interface,
  flags: Partial<AskedFlags>,
  defaults: AskedFlags,
): Promise<AskedFlags> {
  const kind =
    flags.kind ??
    (await askUntilValid(
      lines,
      'Kind to copy (as for kubectl, or the file of a CustomResourceDefinition)',
      defaults.kind,
      (text) => text,
    ))
  const direction =
    flags.direction ??
    (await askUntilValid(
      lines,
      'Direction: down to the host, up from the host, or both',
      defaults.direction,
      directionOf,
    ))
  const vclusterVersion =
    flags.vclusterVersion ??
    (await askUntilValid(lines, 'vcluster release', defaults.vclusterVersion, (text) =>
      /^v?\d+\.\d+/.test(text) ? text : undefined,
    ))
  return { kind, direction, vclusterVersion }
}

const directionOf = (text: string): Direction | undefined =>
  directions.find((direction) => direction === text)

/** Asks until `read` accepts the answer; an empty answer is the default. */
async function askUntilValid<T extends string>(
  lines: Interface,
  question: string,
  fallback: T,
  read: (text: string) => T | undefined,
): Promise<T> {
  for (;;) {
    const text = (await askOnce(lines, `${question} [${fallback}] `)).trim()
    const answer = text === '' ? fallback : read(text)
    if (answer !== undefined) return answer
  }
}

const notAnswered =
  'Nothing was created: the questions were not answered; --kind, --direction and --vcluster-version answer them in advance'

/** Asks one question. Rejects if the terminal is closed, because the question would never resolve. */
function askOnce(lines: Interface, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new UsageError(notAnswered))
    lines.once('close', leave)
    lines.question(question).then((text) => {
      lines.off('close', leave)
      resolve(text)
    }, reject)
  })
}
