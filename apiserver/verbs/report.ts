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
