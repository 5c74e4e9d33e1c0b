# ends without a result
x = 1
