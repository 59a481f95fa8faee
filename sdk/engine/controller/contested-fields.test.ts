import t from 'tap'
import { ContestedFields } from './contested-fields.js'

void t.test('repairs are also counted when uncontested objects are forgotten', (t) => {
  const contested = new ContestedFields({ now: () => 0 })
  for (let index = 0; index < 1000; index++) contested.mayRepair(`${index}`, ['spec'])
  const repairs = Array.from({ length: 7 }, () => contested.mayRepair('last', ['spec']))
  t.strictSame(repairs, [true, true, true, true, true, false, false])
  t.end()
})
