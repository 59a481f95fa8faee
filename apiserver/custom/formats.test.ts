import t from 'tap'
import { checkFormat } from './formats.js'

void t.test('a duration with an ambiguous text is parsed in linear time', async (t) => {
  const units = '1s'.repeat(50_000)
  t.equal(checkFormat(units, { type: 'string', format: 'duration' }, 'spec.a'), undefined)
  t.match(checkFormat(`${units}1`, { type: 'string', format: 'duration' }, 'spec.a'), {
    error: { field: 'spec.a' },
  })
})
