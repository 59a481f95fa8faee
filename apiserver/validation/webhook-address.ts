import { recordOf } from '../base/object.js'
import { type FieldError, invalidValue, required } from './field-error.js'
import { checkSubdomainName } from './names.js'
import { portProblem } from './values.js'

const form = 'desired format: https://host[/path]'

/**
 * The errors of a webhook's address, which is either a URL or a Service; `ValidateWebhookURL` and
 * `ValidateWebhookService` of k8s.io/apiserver v0.36.3.
 */
export function webhookAddressErrors(path: string, clientConfig: unknown): FieldError[] {
  const { url, service } = recordOf(clientConfig)
  const hasUrl = url !== undefined && url !== null
  const hasService = service !== undefined && service !== null
  if (hasUrl === hasService) return [required(path, 'exactly one of url or service is required')]
  return hasUrl ? urlErrors(`${path}.url`, String(url)) : serviceErrors(`${path}.service`, recordOf(service))
}

function urlErrors(path: string, text: string): FieldError[] {
  const [, scheme = '', rest = ''] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(.*)$/s.exec(text) ?? []
  const [, authority = '', below = ''] = /^(?:\/\/([^/?#]*))?(.*)$/s.exec(rest) ?? []
  const atSign = authority.lastIndexOf('@')
  const host = authority.slice(atSign + 1)
  const refuse = (value: string, why: string) => invalidValue(path, value, why)
  const errors: FieldError[] = []
  if (scheme !== 'https') {
    errors.push(refuse(scheme, `'https' is the only allowed URL scheme; ${form}`))
  }
  if (host === '') errors.push(refuse(host, `host must be specified; ${form}`))
  if (atSign >= 0)
    errors.push(refuse(authority.slice(0, atSign), 'user information is not permitted in the URL'))
  const [beforeFragment = '', fragment = ''] = below.split('#')
  if (fragment !== '') errors.push(refuse(fragment, 'fragments are not permitted in the URL'))
  const [, query = ''] = beforeFragment.split('?')
  if (query !== '') errors.push(refuse(query, 'query parameters are not permitted in the URL'))
  return errors
}

function serviceErrors(path: string, service: Readonly<Record<string, unknown>>): FieldError[] {
  const { name = '', namespace = '', path: below, port } = service
  const errors: FieldError[] = []
  if (name === '') errors.push(required(`${path}.name`, ''))
  if (namespace === '') errors.push(required(`${path}.namespace`, ''))
  if (port !== undefined && portProblem(Number(port)) !== undefined) {
    errors.push(
      invalidValue(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'),
    )
  }
  return below === undefined ? errors : [...errors, ...pathErrors(`${path}.path`, String(below))]
}

function pathErrors(path: string, text: string): FieldError[] {
  if (text === '' || text === '/') return []
  const refuse = (why: string) => invalidValue(path, text, why)
  if (text === '//') return [refuse('segment[0] may not be empty')]
  const steps = text.slice(1).replace(/\/$/, '').split('/')
  const errors = text.startsWith('/') ? [] : [refuse("must start with a '/'")]
  steps.forEach((step, index) => {
    const problem = step === '' ? ' may not be empty' : checkSubdomainName(step)
    if (problem !== undefined)
      errors.push(refuse(`segment[${index}]${step === '' ? problem : `: ${problem}`}`))
  })
  return errors
}
