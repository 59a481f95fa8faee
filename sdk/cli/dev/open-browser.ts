import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens a page in the user's browser; where there is none, `onFailure` is called. */
export function openBrowser(url: string, onFailure: () => void): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', onFailure)
  child.unref()
}
