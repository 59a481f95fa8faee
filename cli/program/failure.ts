import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFrame } from './code-frame.js'
import { missingExport, missingFile, missingPackage } from './missing-package.js'
import { withRelativePaths } from './relative-paths.js'

/** The error that ended a plugin's process, as the process reports it. */
export interface Failure {
  /** One sentence, with the place in the plugin's source if it is known. */
  message: string
  stack?: string
  /** Set if the sources cannot be loaded, so a new process fails as well until one of them is saved. */
  isUnloadable?: true
  /** The lines around the mistake in a source that cannot be loaded. */
  frame?: string
}

/** The failure for an uncaught error; `program` is the path of the plugin's program. */
export function describeFailure(error: unknown, program = process.argv[1] ?? ''): Failure {
  if (!(error instanceof Error)) return { message: String(error) }
  const unloadable = loadFailure(error)
  const message = plainMessage(error)
  const sourcePosition = placeOf(error.stack, dirname(program)) ?? lineOfFrame(unloadable.frame)
  const text =
    sourcePosition && !message.includes(sourcePosition) ? `${message} (${sourcePosition})` : message
  return {
    message: withRelativePaths(text, process.cwd()),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...unloadable,
  }
}

/** The message on one line: the first mistake of wrong syntax; for a missing package also how to install it. */
function plainMessage(error: Error): string {
  const mistake = syntaxMistake(error)
  if (mistake) return `${mistake.file}:${mistake.line}:${mistake.column}: ${mistake.problem}`
  const { message } = error
  const missing = missingPackage(message) ?? missingFile(message) ?? missingExport(message)
  return missing ?? oneLine(message)
}

/** A list below a sentence that ends with a colon becomes its parts. */
function oneLine(message: string): string {
  const [head = '', ...rest] = message.trim().split(/\s*\n\s*/)
  return head.endsWith(':') ? `${head} ${rest.join('; ')}` : [head, ...rest].join(' ')
}

interface SyntaxMistake {
  file: string
  line: string
  column: string
  problem: string
}

/** The first mistake that esbuild reports, in a TransformError of tsx, or in an Error for the sources of a clone. */
function syntaxMistake({ name, message }: Error): SyntaxMistake | undefined {
  if (name !== 'TransformError' && !message.startsWith('Transform failed with')) return undefined
  const [, file, line, column, problem] = /^(.+):(\d+):(\d+): ERROR: (.*)/m.exec(message) ?? []
  return file && line && column && problem ? { file, line, column, problem } : undefined
}

/** The file and line in the frame that Node prints; the message about a missing export does not name them. */
const lineOfFrame = (frame = '') => /^(?:file:\/\/)?(\/.+:\d+)$/m.exec(frame)?.[1]

/** Whether a message of a child process is a {@link Failure}. */
export function isFailureMessage(message: unknown): message is Failure {
  return typeof message === 'object' && message !== null && 'message' in message
}

/**
 * The frame of sources that cannot be loaded: a wrong syntax, a missing export, a missing module. Empty for other
 * errors.
 */
function loadFailure(error: Error & { code?: unknown }): Partial<Failure> {
  const mistake = syntaxMistake(error)
  if (mistake) {
    const { file, line, column } = mistake
    return withFrame(codeFrame({ file, line: Number(line), column: Number(column) + 1 }))
  }
  const { name, message, stack = '' } = error
  const [frame] = (name === 'SyntaxError' && linkFrame.exec(stack)) || []
  if (frame !== undefined) return withFrame(frame.trimEnd())
  return missingModule.test(message) && stack.includes('ERR_MODULE_NOT_FOUND') ? { isUnloadable: true } : {}
}

const withFrame = (frame: string): Partial<Failure> => ({ isUnloadable: true, ...(frame && { frame }) })

/** The source, the line and the caret that Node puts before the stack of an error of a module's syntax or imports. */
const linkFrame = /^(?:file:\/\/)?\/.+:\d+\n.*\n *\^+\n/
/** Not a package, which is missing until it is installed. */
const missingModule = /^Cannot find module /

/** The first stack frame in the plugin's folder. */
function placeOf(stack: string | undefined, folder: string): string | undefined {
  const frames = stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? []
  const places = frames.map((frame) =>
    withoutScheme(/((?:file:\/\/)?\/[^()]+:\d+:\d+)\)?$/.exec(frame)?.[1] ?? ''),
  )
  return places.find((place) => place.startsWith(`${folder}/`) && !place.includes('/node_modules/'))
}

const withoutScheme = (place: string) => (place.startsWith('file://') ? fileURLToPath(place) : place)
