import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

const kind = { kind: 'StorageClass', group: 'storage.k8s.io' }
const provisioner = 'a.example.com/b'
const expression = { key: 'a', values: ['b'] }

/** Errors of StorageClasses. */
export const storageClasses: CaseGroup = {
  name: 'storage-classes',
  cases: [
    refuses(
      'parameters need names',
      'storageclasses',
      kind,
      { provisioner, parameters: { '': 'b' } },
      'parameters: Invalid value: "": field can not be empty.',
    ),
    refuses(
      'there are at most 512 parameters',
      'storageclasses',
      kind,
      { provisioner, parameters: Object.fromEntries(Array.from({ length: 513 }, (_, at) => [`k${at}`, ''])) },
      'parameters: Too long: may not be more than 512 bytes',
    ),
    refuses(
      'parameters have at most 256 KiB in total',
      'storageclasses',
      kind,
      { provisioner, parameters: { a: 'x'.repeat(262_144) } },
      'parameters: Too long: may not be more than 262144 bytes',
    ),
    refuses(
      'a topology has each key once',
      'storageclasses',
      kind,
      {
        provisioner,
        allowedTopologies: [{ matchLabelExpressions: [expression, { ...expression, values: ['c'] }] }],
      },
      'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "a"',
    ),
    refuses(
      'an empty binding mode is rejected',
      'storageclasses',
      kind,
      { provisioner, volumeBindingMode: '' },
      'volumeBindingMode: Unsupported value: "": supported values: "Immediate", "WaitForFirstConsumer"',
    ),
  ],
}
