import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens a page in the user's browser; calls `onFailure` once if it cannot start a browser. */
export function openBrowser(url: string, onFailure: () => void): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  let hasFailed = false
  const fail = () => {
    if (!hasFailed) onFailure()
    hasFailed = true
  }
  child.once('error', fail)
  // Many machines without a browser have the opener.
  child.once('exit', (code) => {
    if (code !== 0) fail()
  })
  child.unref()
}
