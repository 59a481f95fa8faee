import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { killAtExit } from './kill-at-exit.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The argument of Node that loads the TypeScript of this project as the tests do: with half of tsx's work at each
 * start.
 */
export const loadTypeScript = `--import=${new URL('../scripts/load-typescript.mjs', import.meta.url).href}`

/** The flags of Node for a program. One that a test wrote is loaded by tsx, and the sources of this project are not. */
export function typeScriptFlags(main: string): string[] {
  const path = resolve(main)
  const isSource = path.startsWith(root) && !path.includes('/.tap/')
  return ['--conditions=vcluster-plugin-sdk:source', ...(isSource ? [] : ['--import=tsx']), loadTypeScript]
}

/** A plugin that runs as a child process, like a sidecar. */
export interface PluginProcess {
  readonly child: ChildProcess
  /** The lines that it has printed, on both streams. */
  readonly lines: readonly string[]
  /**
   * Resolves with the first line, past or future, that contains `text`. Rejects if the process exits first.
   */
  line(text: string): Promise<string>
  /** The exit status, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>
  /** Sends the signal and resolves with the exit status, or the signal's name. */
  end(signal?: NodeJS.Signals): Promise<number | string>
}

/** Starts a plugin's main file with nothing but `env` in its environment. */
export function startPlugin(main: string, env: Record<string, string>): PluginProcess {
  const args = [...typeScriptFlags(main), main]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  killAtExit(child)
  const lines: string[] = []
  const waiting = new Set<(line: string) => void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const hear of waiting) hear(line)
    })
  }
  const exited = once(child, 'exit').then(([status, signal]) => status ?? signal)
  return { child, lines, exited, line: (text) => lineWith(text), end }

  function lineWith(text: string): Promise<string> {
    const said = lines.find((line) => line.includes(text))
    if (said !== undefined) return Promise.resolve(said)
    return new Promise((resolve, reject) => {
      const hear = (line: string) => {
        if (!line.includes(text)) return
        waiting.delete(hear)
        resolve(line)
      }
      waiting.add(hear)
      void exited.then((status) =>
        reject(new Error(`the plugin exited (${status}) without printing "${text}":\n${lines.join('\n')}`)),
      )
    })
  }

  function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    child.kill(signal)
    return exited
  }
}
