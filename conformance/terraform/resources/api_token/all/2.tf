variable "zone_id" {}

data "cloudflare_api_token_permission_groups_list" "read" {
  name  = "Zone Read"
  scope = "com.cloudflare.api.account.zone"
}

resource "cloudflare_api_token" "this" {
  name       = "renamed reader"
  expires_on = "2032-01-01T00:00:00Z"
  condition = {
    request_ip = {
      in = ["127.0.0.0/8"]
    }
  }
  policies = [{
    effect            = "allow"
    permission_groups = [{ id = data.cloudflare_api_token_permission_groups_list.read.result[0].id }]
    resources         = jsonencode({ "com.cloudflare.api.account.zone.${var.zone_id}" = "*" })
  }]
}
