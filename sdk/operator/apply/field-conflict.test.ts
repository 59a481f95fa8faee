import t from 'tap'
import { ApiError } from '../../engine/kube/error.js'
import { conflictsOf } from './field-conflict.js'

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
