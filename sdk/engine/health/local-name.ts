/** The names that a browser or a tool on the same machine uses; `kubectl port-forward` may use another port. */
const localNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a Host header names this machine. A page of another site cannot make a browser send such a header. */
export function isLocalName(host = ''): boolean {
  return localNames.has(host.toLowerCase().replace(/:\d*$/, ''))
}
