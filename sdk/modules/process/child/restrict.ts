import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import process from 'node:process'
import traceEvents from 'node:trace_events'
import v8 from 'node:v8'

/** Functions of `process` that act on other processes, change the user, or reach the internals of Node. */
const ofProcess = [
  ...[
    'kill',
    '_kill',
    '_debugProcess',
    '_debugEnd',
    '_startProfilerIdleNotifier',
    '_stopProfilerIdleNotifier',
  ],
  ...['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups', 'umask', 'chdir', 'execve'],
  ...[
    'binding',
    '_linkedBinding',
    'dlopen',
    'loadEnvFile',
    'openStdin',
    '_getActiveHandles',
    '_getActiveRequests',
  ],
]

/**
 * Removes functions that Node's permissions do not cover: signals to other processes, priorities, files of traces,
 * flags of V8 that undo the limit of the memory or write files. It is not a boundary: a malicious program finds other
 * ways. See docs/modules-security.md.
 */
export function restrictProcess(): void {
  for (const name of ofProcess) replace(process, name)
  for (const name of Object.keys(childProcess)) replace(childProcess, name)
  replace(os, 'setPriority')
  replace(traceEvents, 'createTracing')
  for (const name of ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'startupSnapshot'])
    replace(v8, name)
  syncBuiltinESMExports()
}

function replace(owner: object, name: string): void {
  if (!(name in owner)) return
  const value = () => {
    throw Object.assign(new Error(`${name} is not available to programs`), { code: 'ERR_ACCESS_DENIED' })
  }
  Object.defineProperty(owner, name, { value, writable: false, configurable: false })
}
