import type { LogFields } from '../../sdk/engine/observe/logger.js'

/** Advice for a request that the permissions of a program do not allow. */
export const permissionAdvice =
  'if the program lacks this permission, list it in "permissions" of the syncer, the controller or moduleControllers; --as-admin gives it all on embedded clusters'

const forbidden = / is forbidden: User "[^"]*" cannot \w+ resource /

/** Whether the error of a log line is the response with which an API server refuses a request by its rules. */
export function isForbiddenLine({ error }: LogFields = {}): boolean {
  const { code, reason, message = error } = Object(error)
  // A manager of a Module passes the error of its cluster on as another one.
  return (code === 403 && reason === 'Forbidden') || forbidden.test(String(message))
}
