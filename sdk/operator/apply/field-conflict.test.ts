import t from 'tap'
import { ApiError } from '../../engine/kube/error.js'
import { conflictsOf, fieldConflictError } from './field-conflict.js'
import { contestMessage } from './find-rivals.js'

void t.test('conflicts are read from any Status, also from one that no API server writes', async (t) => {
  const conflict = (causes: unknown) =>
    new ApiError({ code: 409, reason: 'Conflict', details: { causes } } as never)
  const reason = 'FieldManagerConflict'
  const odd = [null, 'a', {}, { reason, field: 1 }, { reason: 'Other', field: '.a', message: 'b' }]
  t.strictSame(
    conflictsOf(conflict([...odd, { reason, field: '.spec.a', message: 'conflict with "kubectl"' }])),
    [': ', '.spec.a: conflict with "kubectl"'],
  )
  for (const causes of [undefined, null, {}, 'a']) t.strictSame(conflictsOf(conflict(causes)), [])
})

void t.test('messages name the first ten fields and managers', async (t) => {
  const fields = Array.from({ length: 5000 }, (_, n) => `.data.k${n}`)
  const causes = fields.map((field) => ({
    reason: 'FieldManagerConflict',
    field,
    message: 'conflict with "a"',
  }))
  const error = new ApiError({ code: 409, reason: 'Conflict', details: { causes } })
  t.match(fieldConflictError('ConfigMap a', error)?.message, /k9: conflict with "a" and 4990 more\. Leave/)
  const message = contestMessage('ConfigMap a', {
    paths: fields,
    rivals: conflictsOf(error),
    fieldManager: 'b',
  })
  t.match(message, /k9 and 4990 more is set to .* by others \(.*k9: conflict with "a" and 4990 more\), again/)
})
