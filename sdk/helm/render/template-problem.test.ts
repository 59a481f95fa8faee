import t from 'tap'
import { templateProblem } from './template-problem.js'

void t.test('a value that is not set is said without the types of Go', async (t) => {
  const place = 'template: web/templates/deployment.yaml:16:42: executing "web" at <.Values.img.tag>'
  const said = `${place}: the value before .tag is not set`
  t.equal(templateProblem(`${place}: nil pointer evaluating interface {}.tag`), said)
  t.equal(templateProblem(`${place}: nil pointer evaluating *chart.Metadata.tag`), said)
  t.equal(templateProblem('set image.tag'), 'set image.tag')
})
