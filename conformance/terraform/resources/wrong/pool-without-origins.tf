# says: "pointer":"/origins"
# says: '[]' is not a valid value for origins because it is empty

variable "account_id" {}

resource "cloudflare_load_balancer_pool" "this" {
  account_id = var.account_id
  name       = "nobody"
  origins    = []
}
