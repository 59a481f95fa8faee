import t from 'tap'
import { closestName } from './closest-name.js'

const names = ['once', 'samples', 'name', 'namespace', 'no-watch', 'n', 'dir']

void t.test('one or two mistakes of any sort are recognized', async (t) => {
  const typed = {
    onec: 'once',
    dri: 'dir',
    sampels: 'samples',
    sample: 'samples',
    'no-wacht': 'no-watch',
    nmespaces: 'namespace',
  }
  for (const [word, meant] of Object.entries(typed)) t.equal(closestName(word, names), meant, word)
})

void t.test('nothing is guessed from a word that is far from all names', async (t) => {
  for (const word of ['verbose', 'x', '', 'dor-x', 'once-more'])
    t.equal(closestName(word, names), undefined, word)
})

void t.test('the closest name wins', async (t) => {
  t.equal(closestName('nane', ['names', 'name', 'none']), 'name')
})
