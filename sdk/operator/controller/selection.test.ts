import t from 'tap'
import { selectionOf } from './selection.js'

void t.test('released objects take bounded memory, although nothing tells of their end', (t) => {
  const selection = selectionOf({ labelSelector: 'app=a' })
  const object = (number: number) => ({ metadata: { name: 'a', uid: `uid-${number}` } })
  for (let number = 0; number < 20_000; number++) selection?.release(object(number))
  t.equal(selection?.isReleased(object(19_999)), true)
  t.equal(selection?.isReleased(object(9_999)), false)
  selection?.forget(object(19_999))
  t.equal(selection?.isReleased(object(19_999)), false)
  t.end()
})
