import { bodyText, mediaType } from '../request/body.js'
import type { ResourceRequest } from '../server/context.js'
import type { FieldReport, FieldValidation } from '../validation/field-report.js'

/** The field validation options of a request, for fields that are not kept. */
export function reportOf(
  { body, headers, warnings, repeatedKeys }: ResourceRequest,
  validation: FieldValidation,
): FieldReport {
  const type = mediaType(headers['content-type'])
  const isJson = type === '' || type.endsWith('json')
  return {
    validation,
    warnings,
    repeatedKeys,
    text: isJson && validation !== 'Ignore' ? bodyText(body) : undefined,
  }
}

/** The `Warning` header of a response, in the format of RFC 7234 (section 5.5) and Kubernetes. */
export function warningHeader(warnings: readonly string[]): string {
  return [...new Set(warnings)].map((text) => `299 - ${quoted(text)}`).join(', ')
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
