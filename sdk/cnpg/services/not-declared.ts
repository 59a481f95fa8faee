import { HookError } from '../calls/hook-error.js'

/** The error for a call of a method that the plugin does not declare. */
export function notDeclaredError(plugin: string, method: string): HookError {
  return new HookError(`plugin ${plugin} does not declare ${method}`, { code: 'UNIMPLEMENTED' })
}
