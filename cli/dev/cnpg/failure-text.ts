/** The operator's words about a call of a plugin that failed; its log has the message. */
const failedCall = /\bplugin (\S+) failed in (\S+) \(\w+\); the log of the plugin has the message/

/**
 * The text of a Cluster that failed, at the end of `dev --once`. If a call of the plugin failed, the text has its error
 * from the log instead of the operator's words around it.
 */
export function failureText(text: string, error: string | undefined): string {
  const [, plugin, method] = failedCall.exec(text) ?? []
  return method === undefined || error === undefined
    ? text
    : `plugin ${plugin} failed in ${method}: ${error}; the log above has the place`
}
