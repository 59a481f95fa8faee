import t from 'tap'
import { parseApi } from './parse-api.js'

void t.test('the error of --api names the rule that is broken', (t) => {
  const refused = (text: string, rule: RegExp) => t.throws(() => parseApi(text), { message: rule })
  t.strictSame(parseApi('shop.my.domain/v1beta1/Order'), {
    group: 'shop.my.domain',
    version: 'v1beta1',
    kind: 'Order',
  })
  refused(
    'shop.my.domain/v1/order',
    /got "shop\.my\.domain\/v1\/order": the kind begins with a capital letter/,
  )
  refused('shop/v1/Order', /: the group is a domain name in lower case, with a dot$/)
  refused('shop.my.domain/1/Order', /: the version is one such as v1, v1beta1 or v1alpha1$/)
  refused('Order', /got "Order": it needs three parts$/)
  refused('shop.my.domain/v1/Order/more', /: it needs three parts$/)
  t.end()
})
