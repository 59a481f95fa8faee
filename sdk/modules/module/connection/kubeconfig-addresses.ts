// Decides to which addresses the kubeconfigs of Workspaces may lead.
import { type BlockList, isIPv4 } from 'node:net'
import type { AddressCheck } from '../../../engine/transport/checked-lookup.js'
import { networksOf } from '../../program/allow-list.js'

/** Options of the connections by the kubeconfigs of Workspaces. */
export interface KubeconfigOptions {
  /**
   * Networks such as `127.0.0.0/8` whose addresses kubeconfigs may lead to although they are loopback or link-local.
   * The operator reaches other servers there than users do, such as those of its own Pod and of its node. Default:
   * none.
   */
  readonly networks?: readonly string[]
}

/** Loopback and link-local addresses, and the other addresses of metadata services of nodes. */
const localNetworks = [
  // The same addresses through a gateway of NAT64, and those of 6to4.
  ...[
    '64:ff9b::0.0.0.0/104',
    '64:ff9b::127.0.0.0/104',
    '64:ff9b::169.254.0.0/112',
    '64:ff9b::100.100.100.200/128',
  ],
  ...['64:ff9b:1::/48', '2002::/24', '2002:7f00::/24', '2002:a9fe::/32', '2002:6464:64c8::/48'],
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '::/127', 'fe80::/10'],
  ...['100.100.100.200/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
]

const option = 'kubeconfigs'

/** Makes the check of the addresses of API servers. Throws `PROGRAM_NOT_ALLOWED` for networks that cannot be read. */
export function kubeconfigAddresses({ networks = [] }: KubeconfigOptions = {}): AddressCheck {
  const local = networksOf(localNetworks, option)
  const listed = networksOf(networks, option)
  return (address) => !contains(local, address) || contains(listed, address)
}

const contains = (list: BlockList, address: string) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
