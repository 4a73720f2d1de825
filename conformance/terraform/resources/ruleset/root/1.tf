variable "account_id" {}

resource "cloudflare_ruleset" "this" {
  account_id  = var.account_id
  name        = "http_request_firewall_managed"
  description = "first"
  kind        = "root"
  phase       = "http_request_firewall_managed"
  rules = [{
    expression = "(http.host eq \"a.example.com\") and cf.zone.plan eq \"ENT\""
    action     = "execute"
    action_parameters = {
      id = "4814384a9e5d4991b9815dcfc25d2f1f"
    }
  }]
}
