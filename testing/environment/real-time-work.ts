/** The resource types by which Node lists a pending file operation. */
const fileRequests: ReadonlySet<string> = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

/**
 * Whether the process is reading or writing a file. Virtual time must wait for it.
 * See https://nodejs.org/api/process.html#processgetactiveresourcesinfo
 */
export const hasFileRequests = (): boolean =>
  process.getActiveResourcesInfo().some((resource) => fileRequests.has(resource))
