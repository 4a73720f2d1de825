variable "zone_id" {}

data "cloudflare_api_token_permission_groups_list" "read" {
  name  = "Zone Read"
  scope = "com.cloudflare.api.account.zone"
}

resource "cloudflare_api_token" "this" {
  name = "reader"
  policies = [{
    effect            = "allow"
    permission_groups = [{ id = data.cloudflare_api_token_permission_groups_list.read.result[0].id }]
    resources         = jsonencode({ "com.cloudflare.api.account.zone.${var.zone_id}" = "*" })
  }]
}
