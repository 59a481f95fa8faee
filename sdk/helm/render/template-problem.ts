/** Go's message about a member of a value that is not set, such as `nil pointer evaluating interface {}.tag`. */
const unsetValue = /nil pointer evaluating (?:interface \{\}|[\w.*]+)\.(\w+)/g

/** The message of a template that failed, without the types of Go. */
export const templateProblem = (message: string): string =>
  message.replaceAll(unsetValue, (_, member) => `the value before .${member} is not set`)
