import process from 'node:process'

const ignore = () => {}

/**
 * Takes SIGUSR1 from Node, which would open its debugger to every local process. Any process of the same user can send
 * the signal, and a debugger reads all that this process knows. The listener stays for the life of the process: without
 * it Node would not listen again, but the signal would end the process.
 */
export function ignoreDebuggerSignal(): void {
  // Windows has no such signal. A listener that is there already has replaced Node's.
  if (process.platform === 'win32' || process.listeners('SIGUSR1').includes(ignore)) return
  process.on('SIGUSR1', ignore)
}
