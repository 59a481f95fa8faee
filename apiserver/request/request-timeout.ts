import { badRequest } from './status.js'

/** A duration in the format of Go's `time.ParseDuration`. */
const duration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/

/**
 * Checks the parameter `timeout`, which every request except a watch may have. The timeout is not enforced,
 * because a call in memory is always faster. Throws 400 with the texts of
 * `pkg/endpoints/filters/request_deadline.go` of k8s.io/apiserver v0.36.3.
 */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get('timeout') ?? ''
  if (text === '' || duration.test(text)) return
  throw badRequest(`invalid timeout specified in the request URL - time: ${problemOf(text)}`)
}

function problemOf(text: string): string {
  const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?<unit>[^\d.]*)/.exec(text)
  if (number === null) return `invalid duration ${JSON.stringify(text)}`
  const unit = number.groups?.unit ?? ''
  if (unit === '') return `missing unit in duration ${JSON.stringify(text)}`
  return `unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`
}
