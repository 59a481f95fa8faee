import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Options of {@link ownFrames}. */
export interface OwnFramesOptions {
  /** The maximum number of frames to return; default 3. */
  maxFrames?: number
  /** Paths below this folder are shown relative to it; default the working directory. */
  from?: string
  /** The folders of the SDK, whose frames are left out; default the folders of the SDK that runs this program. */
  sdk?: readonly string[]
}

/** Joins the stacks of an error and its causes, as pino does in a log line. */
export const causedBy = '\ncaused by: '

const frame = /^ +at (?:async )?(?:(.*) \()?((?:file:\/\/)?[^()]+):(\d+:\d+)\)?$/

/**
 * The first frames of a stack that are a plugin's own code: `sync (src/syncer.ts:12:3)`. Frames of Node, of packages
 * and of the SDK are left out. If an error has causes, the outermost error with own frames counts.
 */
export function ownFrames(
  stack: string,
  { maxFrames = 3, from = process.cwd(), sdk = sdkFolders }: OwnFramesOptions = {},
): string[] {
  for (const part of stack.split(causedBy)) {
    const frames = part.split('\n').flatMap((line) => ownFrame(line, { from, sdk }) ?? [])
    if (frames.length > 0) return frames.slice(0, maxFrames)
  }
  return []
}

function ownFrame(line: string, { from, sdk }: { from: string; sdk: readonly string[] }) {
  const [, name, file = '', position] = frame.exec(line) ?? []
  const path = pathOf(file)
  if (!path || /[/\\]node_modules[/\\]/.test(path) || sdk.some((folder) => path.startsWith(folder)))
    return undefined
  const shown = `${path.startsWith(from + sep) ? relative(from, path) : path}:${position}`
  return name ? `${name} (${shown})` : shown
}

/** The path of a file; undefined for other places, such as `node:internal/process` and `<anonymous>`. */
function pathOf(file: string): string | undefined {
  if (file.startsWith('file://')) return URL.canParse(file) ? pathOfUrl(file) : undefined
  return /^(?:\/|[A-Za-z]:\\)/.test(file) ? file : undefined
}

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    // A message may contain text that only looks like a frame.
    return undefined
  }
}

/** The folders of the package. They are siblings in the sources and in the build. */
const packageFolders = ['sdk', 'apiserver', 'simulator', 'testing', 'cli']
const sdkFolders = sdkFoldersOf(import.meta.url)

/**
 * The folders of the SDK, found by the URL of this module; none in a bundle, because there one file holds the SDK and
 * the plugin.
 */
export function sdkFoldersOf(url: string): string[] {
  if (!/\/sdk\/engine\/observe\/own-frames\.[jt]s$/.test(url)) return []
  return packageFolders.map((folder) => fileURLToPath(new URL(`../../../${folder}/`, url)))
}
