variable "account_id" {}
variable "zone_id" {}

data "cloudflare_account_api_token_permission_groups_list" "read" {
  account_id = var.account_id
  name       = "Zone Read"
  scope      = "com.cloudflare.api.account.zone"
}

resource "cloudflare_account_token" "this" {
  account_id = var.account_id
  name       = "renamed reader"
  expires_on = "2032-01-01T00:00:00Z"
  policies = [{
    effect            = "allow"
    permission_groups = [{ id = data.cloudflare_account_api_token_permission_groups_list.read.result[0].id }]
    resources         = jsonencode({ "com.cloudflare.api.account.zone.${var.zone_id}" = "*" })
  }]
}
