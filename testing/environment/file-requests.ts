/** What Node calls a file's operation that is under way, as long as it is. */
const fileRequests: ReadonlySet<string> = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

/**
 * Whether the process reads or writes a file, which takes real time that virtual time must wait for.
 * See https://nodejs.org/api/process.html#processgetactiveresourcesinfo
 */
export const hasFileRequests = (): boolean =>
  process.getActiveResourcesInfo().some((resource) => fileRequests.has(resource))
