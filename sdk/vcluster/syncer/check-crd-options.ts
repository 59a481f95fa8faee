import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'

const optionTypes: OptionTypes<
  Record<'from' | 'resource' | 'file' | 'definition' | 'into' | 'timeoutMs', unknown>
> = {
  from: 'any',
  resource: 'object',
  file: 'any',
  definition: 'object',
  into: 'any',
  timeoutMs: 'any',
}

/** Throws a `TypeError` for a misspelt option of `ensureCRD`, which could install a definition in another cluster. */
export function checkCrdOptions(options: object): void {
  checkOptions('ensureCRD', options, optionTypes)
}
