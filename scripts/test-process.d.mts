import type { EndedProcess } from './test-results.mjs'

export function passSignals(): void

export function runFiles(files: readonly string[], env?: NodeJS.ProcessEnv): Promise<EndedProcess>
