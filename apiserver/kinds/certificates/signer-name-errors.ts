import { type FieldError, invalidValue, required, tooLong } from '../../validation/field-error.js'
import { checkLabelName, checkSubdomainName, type NameRule } from '../../validation/names.js'

const maxDomain = 253
const maxName = 571
const signerNameForm = "must be a fully qualified domain and path of the form 'example.com/signer-name'"

/** The errors of a signer's name; `ValidateSignerName` of Kubernetes v1.36.3. */
export function signerNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, '')]
  const [domain = '', path = '', ...excess] = name.split('/')
  if (excess.length > 0 || !name.includes('/')) return [invalidValue(field, name, signerNameForm)]
  return [
    ...domainErrors(field, domain),
    ...firstProblem({ field, text: path, rule: checkSubdomainName }),
    ...(name.length > maxName ? [tooLong(field, maxName)] : []),
  ]
}

function domainErrors(field: string, domain: string): FieldError[] {
  const labels = domain.split('.')
  const short = 'should be a domain with at least two segments separated by dots'
  return [
    ...(domain.length > maxDomain ? [tooLong(field, maxDomain)] : []),
    ...firstProblem({ field, text: domain, rule: checkLabelName }),
    ...(labels.length < 2 ? [invalidValue(field, domain, short)] : []),
  ]
}

interface Part {
  readonly field: string
  readonly text: string
  readonly rule: NameRule
}

/** The error of the first part between dots that is wrong. */
function firstProblem({ field, text, rule }: Part): FieldError[] {
  const bad = text.split('.').find((label) => rule(label) !== undefined)
  if (bad === undefined) return []
  return [invalidValue(field, text, `validating label ${JSON.stringify(bad)}: ${rule(bad)}`)]
}
