import { ProgramError } from '../program/program-error.js'
import { isInRange } from '../program/version-range.js'
import { type FromChild, protocolNumber } from './messages.js'

type Ready = Partial<Extract<FromChild, { type: 'ready' }>>

/** The first message of a process. */
export class Handshake {
  /** Resolves with the description that the program sends. */
  readonly promise: Promise<Ready>
  ready: (message: Ready) => void = () => {}
  fail: (error: Error) => void = () => {}

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.ready = resolve
      this.fail = reject
    })
    // The process may end before anything awaits the promise.
    this.promise.catch(() => {})
  }
}

/**
 * Checks the description of a program, and returns its name for messages. Throws `INVALID_PROGRAM` with one
 * sentence for each mistake.
 */
export function checkDescription(
  { protocol, name, version, sdk }: Ready,
  label: string,
  sdkVersion: string,
): string {
  const programText = name === undefined ? label : `program ${[name, version].filter(Boolean).join(' ')}`
  if (protocol !== protocolNumber)
    throw invalidError(
      `${programText} speaks protocol ${protocol}, this SDK speaks ${protocolNumber}; build it again`,
    )
  if (sdk !== undefined && !isRangeOf(sdk, sdkVersion, programText))
    throw invalidError(
      `${programText} needs the SDK in version ${sdk}, this is ${sdkVersion}; build it for this version`,
    )
  return programText
}

function isRangeOf(range: string, sdkVersion: string, programText: string): boolean {
  try {
    return isInRange(sdkVersion, range, { includePrerelease: true })
  } catch (cause) {
    throw invalidError(`${programText}: sdk is ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const invalidError = (message: string) => new ProgramError('INVALID_PROGRAM', message)
