import { limit, limits } from '../../kit/limits.ts'

export const loadBalancingLimits = limits('Load balancing', {
  monitorsPerAccountMax: limit(200, 'count', 'Monitors of one account; one more → 400.'),
  poolsPerAccountMax: limit(500, 'count', 'Pools of one account; one more → 400.'),
  loadBalancersPerAccountMax: limit(
    1000,
    'count',
    'Load balancers of all zones of one account; one more → 400.',
  ),
  originsPerPoolMax: limit(64, 'count', 'Origins of a pool; more → 400.'),
  poolsPerLoadBalancerMax: limit(50, 'count', 'Default pools of a load balancer; more → 400.'),
  lbRulesMax: limit(20, 'count', 'Rules of a load balancer; more → 400.'),
  lbConditionCharactersMax: limit(
    4096,
    'characters',
    'Condition of a rule of a load balancer; longer → 400.',
  ),
  lbRuleTextCharactersMax: limit(
    1024,
    'characters',
    'Content type, location and body of a fixed response; longer → 400.',
  ),
  lbNameCharactersMax: limit(255, 'characters', 'Name of a pool or of an origin; longer → 400.'),
  lbDescriptionCharactersMax: limit(1024, 'characters', 'Description of a resource; longer → 400.'),
  intervalSecondsMin: limit(5, 's', 'Shortest interval of a monitor; shorter → 400.'),
  intervalSecondsMax: limit(3600, 's', 'Longest interval of a monitor; longer → 400.'),
  timeoutSecondsMax: limit(10, 's', 'Time-out of a monitor; longer → 400.'),
  retriesMax: limit(5, 'count', 'Further attempts of a check after a time-out; more → 400.'),
  consecutiveMax: limit(100, 'count', 'Checks in a row that change the state of an origin; more → 400.'),
  monitorTextCharactersMax: limit(
    1024,
    'characters',
    'Path, expected codes, expected body and values of headers of a monitor; longer → 400.',
  ),
  monitorHeadersMax: limit(20, 'count', 'Headers of a monitor, and values of one header; more → 400.'),
})
