import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The error that ended a plugin's process, as the process reports it. */
export interface Failure {
  /** One sentence, with the place in the plugin's source if it is known. */
  message: string
  stack?: string
}

/** The failure for an uncaught error; `program` is the path of the plugin's program. */
export function failureOf(error: unknown, program = process.argv[1] ?? ''): Failure {
  if (!(error instanceof Error)) return { message: String(error) }
  const message = error.message.trim().replaceAll(/\s*\n\s*/g, ' ')
  const place = placeOf(error.stack, dirname(program))
  return {
    message: place && !message.includes(place) ? `${message} (${place})` : message,
    ...(error.stack !== undefined && { stack: error.stack }),
  }
}

/** Whether a message of a child process is a {@link Failure}. */
export function isFailure(message: unknown): message is Failure {
  return typeof message === 'object' && message !== null && 'message' in message
}

/** The first stack frame in the plugin's folder. */
function placeOf(stack: string | undefined, folder: string): string | undefined {
  const frames = stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? []
  const places = frames.map((frame) =>
    withoutScheme(/((?:file:\/\/)?\/[^()]+:\d+:\d+)\)?$/.exec(frame)?.[1] ?? ''),
  )
  return places.find((place) => place.startsWith(`${folder}/`) && !place.includes('/node_modules/'))
}

const withoutScheme = (place: string) => (place.startsWith('file://') ? fileURLToPath(place) : place)
